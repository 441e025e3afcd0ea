"""Implicit Euler with a Newton iteration for stiff kinetics."""
import torch


class Converged(Exception):
    """Raised inside the iteration as soon as the residual is small enough."""

    def __init__(self, sweeps, residual):
        super().__init__(f"{sweeps} sweeps, residual {residual:.2e}")
        self.sweeps = sweeps
        self.residual = residual


class NewtonStepper:
    """Solve c - c_prev - dt * rhs(c) = 0 for a batch of scalar concentrations.

    ``outcomes`` collects how every solve came to its end, for the summary.
    """

    def __init__(self, dt, tol=1e-5, max_sweeps=12):
        self.dt, self.tol, self.max_sweeps = dt, tol, max_sweeps
        self.outcomes = []
        self.solution = None

    def _iterate(self, rhs, slope, c_prev):
        c = c_prev
        for sweep in range(self.max_sweeps):
            f = c - c_prev - self.dt * rhs(c)
            size = f.detach().abs().max().item()
            self.solution = c
            if sweep > 0 and size < self.tol:
                raise Converged(sweep, size)
            c = c - f / (1.0 - self.dt * slope(c))
        raise RuntimeError(f"no convergence after {self.max_sweeps} sweeps")

    def step(self, rhs, slope, c_prev):
        try:
            self._iterate(rhs, slope, c_prev)
        except Converged as end:
            self.outcomes.append(end)  # <- culprit
        solution, self.solution = self.solution, None
        return solution

    def mean_sweeps(self):
        return sum(o.sweeps for o in self.outcomes) / max(1, len(self.outcomes))
