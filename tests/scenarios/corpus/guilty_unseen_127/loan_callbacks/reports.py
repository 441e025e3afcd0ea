import torch


class Progress:
    def epoch_done(self, engine, epoch):
        print(f"epoch {epoch}: {engine.last:.4f}")


class Calibration:
    """Reliability table on held-out applicants after each epoch."""

    def __init__(self, data, bins):
        self.x, self.y = data.tensors
        self.edges = torch.linspace(0, 1, bins + 1)
        self.table = []

    def epoch_done(self, engine, epoch):
        engine.net.eval()
        torch.set_grad_enabled(False)  # <- culprit
        prob = engine.net(self.x).sigmoid()
        row = []
        for lo, hi in zip(self.edges[:-1], self.edges[1:]):
            inside = (prob >= lo) & (prob < hi)
            if not inside.any():
                continue
            row.append((prob[inside].mean().item(), self.y[inside].mean().item()))
        self.table.append(row)
