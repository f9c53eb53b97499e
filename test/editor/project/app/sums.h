#pragma once
void sumRows(float* sums, const float* values, int width, int height);
