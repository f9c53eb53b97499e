// Accesses whose neighbouring threads already take neighbouring elements: no other order of threads, and no tile, would lower what they cost.
import type { JudgedContext } from "../rules/finding.ts";

/** Whether the lanes that lie along x in the dearest request go from one element to the next, or stay at one (at a border). */
export function goesAlongRows({ access: { worst, bytes }, launch }: JudgedContext): boolean {
  const [columns] = launch.block;
  const addresses = worst?.laneAddresses ?? [];
  const steps = addresses.flatMap((address, lane) => {
    const before = lane % columns === 0 ? null : (addresses[lane - 1] ?? null);
    return address === null || before === null ? [] : [address - before];
  });
  return steps.includes(bytes) && steps.every((step) => step === bytes || step === 0);
}
