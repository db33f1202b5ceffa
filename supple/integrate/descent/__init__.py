"""`descent`: Newton steps on the true forces, solved by conjugate gradients with a multigrid cycle on packed rows."""
