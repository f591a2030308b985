/**
 * A binary heap whose members know their place, so that any of them can be moved or taken out in O(log n).
 * Invariant: a member is in one heap at most; `place` is its index there, or -1.
 */

export interface Placed {
  place: number
}

export class Heap<A extends Placed> {
  private readonly members: Array<A> = []
  private readonly before: (one: A, other: A) => boolean

  constructor(before: (one: A, other: A) => boolean) {
    this.before = before
  }

  get size(): number {
    return this.members.length
  }

  first(): A | undefined {
    return this.members[0]
  }

  has(member: A): boolean {
    return this.members[member.place] === member
  }

  add(member: A): void {
    this.members.push(member)
    this.rise(member, this.members.length - 1)
  }

  remove(member: A): void {
    if (!this.has(member)) return
    const { place } = member
    const last = this.members.pop()
    member.place = -1
    if (last === undefined || last === member) return
    last.place = place
    this.members[place] = last
    this.moved(last)
  }

  /** After what it is ordered by has changed. */
  moved(member: A): void {
    if (!this.has(member)) return
    this.rise(member, member.place)
    this.sink(member, member.place)
  }

  private put(member: A, place: number): void {
    this.members[place] = member
    member.place = place
  }

  private rise(member: A, from: number): void {
    let place = from
    while (place > 0) {
      const above = (place - 1) >>> 1
      const parent = this.members[above]
      if (parent === undefined || !this.before(member, parent)) break
      this.put(parent, place)
      place = above
    }
    this.put(member, place)
  }

  private sink(member: A, from: number): void {
    let place = from
    for (;;) {
      const left = this.members[2 * place + 1]
      const right = this.members[2 * place + 2]
      const smaller =
        left === undefined ? undefined : right !== undefined && this.before(right, left) ? right : left
      if (smaller === undefined || !this.before(smaller, member)) break
      const below = smaller === right ? 2 * place + 2 : 2 * place + 1
      this.put(smaller, place)
      place = below
    }
    this.put(member, place)
  }
}
