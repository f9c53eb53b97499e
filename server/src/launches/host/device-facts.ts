// What the CUDA runtime says of the GPU. Facts that differ between GPUs are those of the one that all figures were measured on, and a launch
// that depends on them says so.
import type { RecordType } from "../../ir/type.ts";
import { entryOf } from "../../table.ts";

/** Lanes of a warp, on every GPU of NVIDIA's. */
export const warpSize = 32;

/** True of every GPU that CUDA still supports. */
const common: Readonly<Record<string, readonly number[]>> = {
  warpSize: [warpSize],
  maxThreadsPerBlock: [1024],
  maxThreadsDim: [1024, 1024, 64],
  maxGridSize: [2147483647, 65535, 65535],
  sharedMemPerBlock: [49152],
  regsPerBlock: [65536],
  totalConstMem: [65536],
  unifiedAddressing: [1],
  canMapHostMemory: [1],
  managedMemory: [1],
  cooperativeLaunch: [1],
  concurrentKernels: [1],
};

/** Read with cudaGetDeviceProperties on an H200. */
const measured: Readonly<Record<string, readonly number[]>> = {
  major: [9],
  minor: [0],
  multiProcessorCount: [132],
  maxThreadsPerMultiProcessor: [2048],
  maxBlocksPerMultiProcessor: [32],
  regsPerMultiprocessor: [65536],
  sharedMemPerMultiprocessor: [233472],
  sharedMemPerBlockOptin: [232448],
  reservedSharedMemPerBlock: [1024],
  l2CacheSize: [62914560],
  integrated: [0],
  concurrentManagedAccess: [1],
};

/** The numbers of cudaDeviceAttr, by the field of cudaDeviceProp that says the same. */
const attributes = new Map<number, readonly [field: string, index: number]>([
  [1, ["maxThreadsPerBlock", 0]],
  [2, ["maxThreadsDim", 0]],
  [3, ["maxThreadsDim", 1]],
  [4, ["maxThreadsDim", 2]],
  [5, ["maxGridSize", 0]],
  [6, ["maxGridSize", 1]],
  [7, ["maxGridSize", 2]],
  [8, ["sharedMemPerBlock", 0]],
  [10, ["warpSize", 0]],
  [12, ["regsPerBlock", 0]],
  [16, ["multiProcessorCount", 0]],
  [38, ["l2CacheSize", 0]],
  [39, ["maxThreadsPerMultiProcessor", 0]],
  [75, ["major", 0]],
  [76, ["minor", 0]],
  [81, ["sharedMemPerMultiprocessor", 0]],
  [83, ["managedMemory", 0]],
  [89, ["concurrentManagedAccess", 0]],
  [95, ["cooperativeLaunch", 0]],
  [97, ["sharedMemPerBlockOptin", 0]],
]);

/** Rows of cudaMallocPitch begin at multiples of this (widths of 1 to 1,000,000 bytes on an H200). */
export const pitchAlignmentBytes = 512;

/**
 * What cudaOccupancyMaxPotentialBlockSize gives where neither registers nor shared memory are short (recorded: 1024 threads, 264 blocks); `limit` is
 * the most threads that the program wants, 0 for any. Null where that is no power of two, since smaller blocks may fill more.
 */
export function largestFullBlock(limit: number): { readonly block: number; readonly grid: number } | null {
  const block = limit > 0 ? Math.min(limit, 1024) : 1024;
  if (block < warpSize || Math.log2(block) % 1 !== 0) return null;
  return { block, grid: 132 * Math.min(32, 2048 / block) };
}

/** Which facts are taken as known: those of every GPU, or those of the measured one too. */
export type DeviceKnowledge = "common" | "measured";

/** The value of an attribute of cudaDeviceGetAttribute, or null where it is not known. */
export function deviceAttribute(attribute: number, knowledge: DeviceKnowledge): number | null {
  const place = attributes.get(attribute);
  return place === undefined ? null : (fact(place[0], knowledge)?.[place[1]] ?? null);
}

/** The numbers in a cudaDeviceProp of this layout that are known, by byte offset. */
export function devicePropertyFields(
  record: RecordType,
  knowledge: DeviceKnowledge,
): readonly { readonly offsetBytes: number; readonly bytes: 4 | 8; readonly value: number }[] {
  return record.fields.flatMap((field) => {
    const type = field.type.kind === "array" ? field.type.element : field.type;
    const bytes = type.kind === "integer" && type.bits === 64 ? 8 : 4;
    const values = fact(field.name, knowledge) ?? [];
    return values.map((value, index) => ({ offsetBytes: field.offsetBytes + index * bytes, bytes, value }));
  });
}

function fact(name: string, knowledge: DeviceKnowledge): readonly number[] | null {
  return entryOf(common, name) ?? (knowledge === "measured" ? (entryOf(measured, name) ?? null) : null);
}
