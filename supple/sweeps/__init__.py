"""Sweeps: one scene many times with other parameters, on all cores or a cluster, kept in a folder."""
