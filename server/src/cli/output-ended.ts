// How a process ends that has nobody to write to.

/** Ends where there is nobody to write to: one who has seen enough (`warplint check | head`) is no error, a full disk is. */
export function endWithout(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(0);
  if (error.syscall !== "write") throw error;
  process.stderr.write(`warplint: the output cannot be written (${error.code ?? "error"})\n`);
  process.exit(2);
}
