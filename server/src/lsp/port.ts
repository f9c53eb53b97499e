// Channels to the threads and processes that work for the server.

/** One side of a channel. */
export interface Port<In, Out> {
  post(message: Out): void;
  onMessage(listener: (message: In) => void): void;
}

/** A thread, or process, that the server has started. */
export interface Helper<In, Out> extends Port<In, Out> {
  /** Calls `listener` once where it cannot be started, or has ended by itself. */
  onFailure(listener: (error: unknown) => void): void;
  end(): void;
}
