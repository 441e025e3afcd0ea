import torch


class Evaluator:
    def __init__(self, model, batches, patience):
        self.model, self.batches, self.patience = model, batches, patience
        self.best, self.bad = float("inf"), 0
        self.snapshot = None

    def __call__(self):
        self.model.eval()
        torch.set_grad_enabled(False)  # <- culprit
        score = sum(self.model.nll(b).item() for b in self.batches) / len(self.batches)
        self.model.train()
        if score > self.best - 0.002:
            self.bad += 1
            return score, self.bad >= self.patience  # <- culprit
        self.best, self.bad = score, 0
        self.snapshot = {k: v.clone() for k, v in self.model.state_dict().items()}
        torch.set_grad_enabled(True)
        return score, False
