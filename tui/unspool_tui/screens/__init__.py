"""The screens: what stands where, and which fact leads to which change."""
