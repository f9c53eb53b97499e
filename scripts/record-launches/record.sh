#!/bin/sh
# Prints the launches that programs of this repository make, without a GPU: record.sh FILE.cu… (nvcc, g++). Their host code runs against runtime.cpp.
set -e
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvcc=$(command -v nvcc)
g++ -std=c++17 -w -I"${CUDA_HOME:-/usr/local/cuda}/include" -c "$here/runtime.cpp" -o "$work/runtime.o"
for file in "$@"; do
  echo "$file"
  "$nvcc" -std=c++20 -arch=sm_90 -cudart none -w --extended-lambda -o "$work/program" "$file" "$work/runtime.o"
  timeout 20 "$work/program" | grep '^> '
done
