// What is put off until nobody waits.

/** Told when work begins, and when all of it is done. */
export interface Quiet {
  workBegins(): void;
  workEnds(): void;
}

/** Long enough that what a client asks for together is answered, and shorter than from one keystroke to the next. */
const quietMilliseconds = 4;

/** Has `act` called once there has been no work for a moment. */
export function onceQuiet(act: () => void): Quiet {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    workBegins: () => clearTimeout(timer),
    workEnds: () => {
      timer = setTimeout(act, quietMilliseconds);
    },
  };
}
