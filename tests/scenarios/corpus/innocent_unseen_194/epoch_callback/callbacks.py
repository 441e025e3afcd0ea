class Callback:
    def on_step(self, trainer, loss, outputs):
        pass

    def on_epoch_end(self, trainer, epoch):
        pass


class ParityPlot(Callback):
    """Collects predictions over an epoch and prints the fit of the line."""

    def __init__(self):
        self.points = []

    def on_step(self, trainer, loss, outputs):
        self.points.append(outputs)

    def on_epoch_end(self, trainer, epoch):
        pred = [p for p, _ in self.points]
        true = [t for _, t in self.points]
        n = sum(len(t) for t in true)
        sxy = sum((p.detach() * t).sum().item() for p, t in self.points)
        sxx = sum(t.pow(2).sum().item() for t in true)
        print(f"epoch {epoch}: slope {sxy / sxx:.3f} on {n} points, last {pred[-1].mean().item():+.2f}")
        self.points = []


class LearningRate(Callback):
    def __init__(self, gamma):
        self.gamma = gamma

    def on_epoch_end(self, trainer, epoch):
        for group in trainer.optimizer.param_groups:
            group["lr"] *= self.gamma
