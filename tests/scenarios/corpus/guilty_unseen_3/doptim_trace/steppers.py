import torch


class Cautious(torch.optim.Optimizer):
    """Sign-agreement momentum. The pace shrinks when the objective has not improved over a horizon."""

    def __init__(self, params, lr=0.05, beta=0.9, horizon=25):
        super().__init__(params, dict(lr=lr, beta=beta))
        self.horizon = horizon
        self.state["trace"] = []

    def pace(self):
        return self.param_groups[0]["lr"]

    def _adapt(self, value):
        trace = self.state["trace"]
        trace.append(value)  # <- culprit
        if len(trace) > self.horizon and len(trace) % self.horizon == 0:
            if min(trace[-self.horizon:]) >= min(trace[:-self.horizon]):
                for g in self.param_groups:
                    g["lr"] *= 0.5

    @torch.no_grad()
    def step(self, closure):
        with torch.enable_grad():
            value = closure()
        self._adapt(value)
        for g in self.param_groups:
            for p in g["params"]:
                st = self.state[p]
                m = st["m"] = g["beta"] * st.get("m", torch.zeros_like(p)) + (1 - g["beta"]) * p.grad
                p.add_(m * ((m * p.grad) > 0), alpha=-g["lr"] / (m.abs().mean().item() + 1e-8) * 0.05)
        return value.item()
