// The only argument of a command line that is started to work for a server: what it is to do.

const helperArguments = ["--search-for-a-server", "--lint-for-a-server"] as const;

export type HelperArgument = (typeof helperArguments)[number];

export const [searchArgument, lintArgument] = helperArguments;

export function isHelperArgument(argument: string | undefined): argument is HelperArgument {
  return helperArguments.some((each) => each === argument);
}
