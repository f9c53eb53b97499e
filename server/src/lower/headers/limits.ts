// std::numeric_limits of the arithmetic types, as source that is lowered like the user's own.

const integers: readonly (readonly [type: string, least: string, most: string, digits: number])[] = [
  ["bool", "false", "true", 1],
  ["char", "-128", "127", 7],
  ["signed char", "-128", "127", 7],
  ["unsigned char", "0", "255", 8],
  ["short", "-32768", "32767", 15],
  ["unsigned short", "0", "65535", 16],
  ["int", "-2147483647 - 1", "2147483647", 31],
  ["unsigned int", "0", "4294967295u", 32],
  ["long", "-9223372036854775807l - 1", "9223372036854775807l", 63],
  ["unsigned long", "0", "18446744073709551615ul", 64],
  ["long long", "-9223372036854775807ll - 1", "9223372036854775807ll", 63],
  ["unsigned long long", "0", "18446744073709551615ull", 64],
];

const floats: readonly (readonly [type: string, least: string, most: string, epsilon: string])[] = [
  ["float", "1.17549435e-38f", "3.40282347e+38f", "1.1920929e-7f"],
  ["double", "2.2250738585072014e-308", "1.7976931348623157e+308", "2.220446049250313e-16"],
];

const constant = (type: string, name: string, value: string) =>
  `  static __host__ __device__ constexpr ${type} ${name}() { return ${value}; }`;

const integerText = integers.map(
  ([type, least, most, digits]) => `template <> struct numeric_limits<${type}> {
  static constexpr bool is_specialized = true, is_integer = true;
  static constexpr int digits = ${digits};
${constant(type, "min", least)}
${constant(type, "lowest", least)}
${constant(type, "max", most)}
};`,
);

const floatText = floats.map(
  ([type, least, most, epsilon]) => `template <> struct numeric_limits<${type}> {
  static constexpr bool is_specialized = true, is_integer = false;
${constant(type, "min", least)}
${constant(type, "lowest", `-${most}`)}
${constant(type, "max", most)}
${constant(type, "epsilon", epsilon)}
${constant(type, "infinity", `(${type})(1e300 * 1e300)`)}
};`,
);

export const limitsText = `
namespace std {
template <typename T> struct numeric_limits { static constexpr bool is_specialized = false; };
${[...integerText, ...floatText].join("\n")}
}
`;
