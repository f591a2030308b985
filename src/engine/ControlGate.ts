/**
 * What the operator's control lets through: asked by the guard for every intent, and before a confirmation is allowed.
 * Invariant: each mutation of the daemon passes here; there is no way around it for any of the engine's own.
 */
import type { Control } from "../domain/Control.ts"
import type { Intent } from "../domain/Intent.ts"

type ControlCode = "Paused" | "Draining" | "Halted"

/** Why an intent of this kind may not be sent now. */
export const controlGate = (kind: Intent["_tag"], control: Control): ControlCode | undefined => {
  switch (control._tag) {
    case "Trading":
      return undefined
    case "Paused":
      return "Paused"
    case "Draining":
      return gates[kind].whileDraining ? undefined : "Draining"
    case "Halted":
      return gates[kind].whileHalted ? undefined : "Halted"
  }
}

const gates: Readonly<Record<Intent["_tag"], { whileDraining: boolean; whileHalted: boolean }>> = {
  PlaceBid: { whileDraining: false, whileHalted: false },
  BuyListing: { whileDraining: false, whileHalted: false },
  CancelBid: { whileDraining: true, whileHalted: true },
  ListAsset: { whileDraining: true, whileHalted: false },
  RemoveListing: { whileDraining: true, whileHalted: false }
}

/** A pause finishes what was begun, a halt does not. */
export const mayConfirm = (control: Control): boolean => control._tag !== "Halted"
