// The types of the elements of PyTorch's tensors, as source: what they hold is data, how large they are is not. It is read only for programs
// that name its namespaces.

/** Name under which the ranges of this text appear. */
export const torchFile = "<torch/extension.h>";

/** What a program that needs `torchText` mentions. */
export const torchNames = /\b(c10|at|torch)\s*::/;

const types = {
  Byte: "unsigned char",
  Char: "signed char",
  Short: "short",
  Int: "int",
  Long: "long",
  Half: "__half",
  Float: "float",
  Double: "double",
  Bool: "bool",
  BFloat16: "__nv_bfloat16",
};
const entries = Object.entries(types);

export const torchText = `
namespace c10 {
using Half = __half;
using BFloat16 = __nv_bfloat16;
enum class ScalarType : signed char { ${Object.keys(types).join()} };
${entries.map(([name]) => `constexpr ScalarType k${name} = ScalarType::${name};`).join("\n")}
namespace impl {
template <ScalarType> struct ScalarTypeToCPPType;
${entries.map(([name, type]) => `template <> struct ScalarTypeToCPPType<ScalarType::${name}> { using type = ${type}; };`).join("\n")}
template <ScalarType E> using ScalarTypeToCPPTypeT = typename ScalarTypeToCPPType<E>::type;
template <typename T> struct accumulated_ { using type = T; };
template <> struct accumulated_<__half> { using type = float; };
template <> struct accumulated_<__nv_bfloat16> { using type = float; };
}
}
namespace at {
using namespace c10;
template <typename T, bool IsCuda> using acc_type = typename impl::accumulated_<T>::type;
template <typename T> using opmath_type = typename impl::accumulated_<T>::type;
}
namespace torch { using namespace at; }
`;
