"""Warming: kernels compiled before they are needed, in processes of their own."""
