// The name that walks of the workspace pass by.

/** The directory in which the command line keeps what it said of files. */
export const cacheName = ".warplint_cache";
