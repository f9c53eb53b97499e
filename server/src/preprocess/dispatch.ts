// PyTorch's AT_DISPATCH_… (ATen/Dispatch.h): what they are handed is called once for each type that a tensor's elements may have. Their types
// are in lower/headers/torch.ts. Complex numbers, which have no type there, are left out.

const floating = ["Double", "Float"];
const integral = ["Byte", "Char", "Int", "Long", "Short"];

/** The sets of types that macros are named by. */
const sets: readonly (readonly [name: string, types: readonly string[]])[] = [
  ["FLOATING_TYPES", floating],
  ["INTEGRAL_TYPES", integral],
  ["ALL_TYPES", [...integral, ...floating]],
];

/** As `#define` would have them. */
export const dispatchMacros: readonly string[] = [
  "AT_DISPATCH_SWITCH(TYPE, NAME, ...) [&] { switch (TYPE) { __VA_ARGS__ } }()",
  "AT_PRIVATE_CASE_TYPE_USING_HINT(ENUM, HINT, ...) case ENUM: { using HINT = c10::impl::ScalarTypeToCPPTypeT<ENUM>; return __VA_ARGS__(); }",
  "AT_DISPATCH_CASE(ENUM, ...) AT_PRIVATE_CASE_TYPE_USING_HINT(ENUM, scalar_t, __VA_ARGS__)",
  `AT_DISPATCH_INDEX_TYPES(TYPE, NAME, ...) AT_DISPATCH_SWITCH(TYPE, NAME, ${["Int", "Long"]
    .map((type) => `AT_PRIVATE_CASE_TYPE_USING_HINT(at::ScalarType::${type}, index_t, __VA_ARGS__)`)
    .join(" ")})`,
  ...sets.flatMap(([name, types]) => [
    ...dispatching(name, types, 0),
    ...[1, 2, 3, 4].flatMap((count) => {
      const behind = `AND${count === 1 ? "" : count}`;
      return [`${name}_${behind}`, `${name}_AND_COMPLEX_${behind}`].flatMap((each) =>
        dispatching(each, types, count),
      );
    }),
    ...dispatching(`${name}_AND_COMPLEX`, types, 0),
  ]),
  ...dispatching("FLOATING_TYPES_AND_HALF", [...floating, "Half"], 0),
];

/** The macro over `types` and over as many more as it is handed in front, and its cases alone. */
function dispatching(name: string, types: readonly string[], handed: number): string[] {
  const more = Array.from({ length: handed }, (_, index) => `TYPE${index + 1}, `);
  const cases = [...types.map((type) => `at::ScalarType::${type}, `), ...more]
    .map((type) => `AT_DISPATCH_CASE(${type}__VA_ARGS__)`)
    .join(" ");
  const given = more.join("");
  return [
    `AT_DISPATCH_${name}(${given}TYPE, NAME, ...) AT_DISPATCH_SWITCH(TYPE, NAME, ${cases})`,
    `AT_DISPATCH_CASE_${name}(${given}...) ${cases}`,
  ];
}
