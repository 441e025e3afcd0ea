import torch


class Stages:
    """Which parameter groups learn, by step."""

    def __init__(self, model, plan):
        self.model, self.plan = model, plan
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.0)

    def advance(self, step):
        prefixes = self.plan.get(step)
        if prefixes is None:
            return
        for name, p in self.model.named_parameters():
            p.requires_grad_(any(part.startswith(prefixes) for part in name.split(".")))  # <- culprit

    def n_active(self):
        return sum(p.numel() for p in self.model.parameters() if p.requires_grad)
