// What is put off until nobody waits.

/** Long enough that what a client asks for together is answered, and shorter than from one keystroke to the next. */
const quietMilliseconds = 4;

/** A function that has `act` called once it was not called itself for a moment. */
export function onceQuiet(act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, quietMilliseconds);
  };
}
