/**
 * A binary heap whose members know their place, so that any of them can be moved or taken out in O(log n). Numbers that order them lie
 * side by side, because looking each up in its member costs more than comparing them.
 * Invariant: a member is in one heap at most; `place` is its index there, or -1.
 */

export interface Placed {
  place: number
}

export class Heap<A extends Placed> {
  private readonly members: Array<A> = []
  private readonly orders: Array<number> = []
  private readonly orderOf: (member: A) => number
  private readonly isFirstOfEqual: (one: A, other: A) => boolean

  constructor(orderOf: (member: A) => number, isFirstOfEqual: (one: A, other: A) => boolean = () => false) {
    this.orderOf = orderOf
    this.isFirstOfEqual = isFirstOfEqual
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
    this.orders.push(0)
    this.rise(member, this.orderOf(member), this.members.length - 1)
  }

  remove(member: A): void {
    if (!this.has(member)) return
    const { place } = member
    const last = this.members.pop()
    const order = this.orders.pop()
    member.place = -1
    if (last === undefined || order === undefined || last === member) return
    this.put(last, order, place)
    this.settle(last, order, place)
  }

  /** After what it is ordered by has changed. */
  moved(member: A): void {
    if (this.has(member)) this.settle(member, this.orderOf(member), member.place)
  }

  private settle(member: A, order: number, place: number): void {
    this.rise(member, order, place)
    if (member.place === place) this.sink(member, order, place)
  }

  private put(member: A, order: number, place: number): void {
    this.members[place] = member
    this.orders[place] = order
    member.place = place
  }

  private precedes(order: number, member: A, place: number): boolean {
    const other = this.orders[place] ?? Number.POSITIVE_INFINITY
    if (order !== other) return order < other
    const standing = this.members[place]
    return standing !== undefined && this.isFirstOfEqual(member, standing)
  }

  private rise(member: A, order: number, from: number): void {
    let place = from
    while (place > 0) {
      const above = (place - 1) >>> 1
      const parent = this.members[above]
      if (parent === undefined || !this.precedes(order, member, above)) break
      this.put(parent, this.orders[above] ?? 0, place)
      place = above
    }
    this.put(member, order, place)
  }

  private sink(member: A, order: number, from: number): void {
    let place = from
    for (;;) {
      const below = this.smallerBelow(place)
      const child = below === undefined ? undefined : this.members[below]
      if (below === undefined || child === undefined || this.precedes(order, member, below)) break
      const childOrder = this.orders[below] ?? 0
      if (childOrder === order && !this.isFirstOfEqual(child, member)) break
      this.put(child, childOrder, place)
      place = below
    }
    this.put(member, order, place)
  }

  private smallerBelow(place: number): number | undefined {
    const left = 2 * place + 1
    if (left >= this.members.length) return undefined
    const right = left + 1
    const other = this.members[right]
    return other !== undefined && this.precedes(this.orders[right] ?? 0, other, left) ? right : left
  }
}
