import torch


class Engine:
    """One optimiser per named part. A part called `foo` has its loss in `agent.foo_loss`."""

    def __init__(self, agent, lrs):
        self.agent = agent
        self.opts = {k: torch.optim.Adam(getattr(agent, k).parameters(), lr=lr) for k, lr in lrs.items()}

    def compute(self, batch):
        return {k: getattr(self.agent, f"{k}_loss")(*batch) for k in self.opts}

    def apply(self, losses):
        for name, loss in losses.items():
            opt = self.opts[name]
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(getattr(self.agent, name).parameters(), 10.0)
            opt.step()  # <- culprit

    def update(self, batch):
        losses = self.compute(batch)  # <- culprit
        self.apply(losses)
        self.agent.sync()
        return {k: v.item() for k, v in losses.items()}
