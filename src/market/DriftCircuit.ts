/**
 * One circuit per operation: when too large a share of its last answers cannot be understood, it is out of service.
 * Invariants: 1. only a body of another shape counts against it: pages, `null` and errors are a market that stumbles. 2. out of service it
 * is probed once per `probeMillis`; one answer that is understood ends it.
 */

/** Answers that are looked back on, how many of them must be there, and the share that opens the circuit. */
const window = 20
const least = 5
const mostDiffering = 0.5
const probeMillis = 300_000

export interface Circuit {
  /** The last answers, oldest first: true for one that differs. */
  readonly differing: ReadonlyArray<boolean>
  readonly open: { readonly since: number; readonly path: string; readonly probedAt: number } | undefined
}

export const closedCircuit: Circuit = { differing: [], open: undefined }

/** After an answer; `path` is where it differs, undefined for one that is understood. */
export const answered = ({ differing, open }: Circuit, path: string | undefined, now: number): Circuit => {
  if (path === undefined)
    return open === undefined ? { differing: [...differing, false].slice(-window), open } : closedCircuit
  const last = [...differing, true].slice(-window)
  if (open !== undefined) return { differing: last, open: { ...open, path } }
  const share = last.filter(Boolean).length / last.length
  return last.length >= least && share >= mostDiffering
    ? { differing: last, open: { since: now, path, probedAt: now } }
    : { differing: last, open }
}

/** The circuit after somebody wants to ask; `may` is whether he may. */
export const asked = (circuit: Circuit, now: number): { readonly may: boolean; readonly after: Circuit } => {
  const { open } = circuit
  if (open === undefined) return { may: true, after: circuit }
  return now - open.probedAt >= probeMillis
    ? { may: true, after: { ...circuit, open: { ...open, probedAt: now } } }
    : { may: false, after: circuit }
}
