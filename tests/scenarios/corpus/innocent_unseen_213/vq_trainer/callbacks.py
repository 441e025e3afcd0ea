import torch


class Callback:
    def adjust_loss(self, trainer, out):
        return 0.0

    def on_step_end(self, trainer, out):
        pass

    def on_epoch_end(self, trainer, epoch):
        pass


class EpochMeans(Callback):
    def __init__(self):
        self.losses = []

    def on_step_end(self, trainer, out):
        self.losses.append(out["loss"])

    def on_epoch_end(self, trainer, epoch):
        print(f"epoch {epoch} loss {torch.stack(self.losses).mean():.4f}")
        self.losses = []


class DeadCodeRevival(Callback):
    def __init__(self):
        self.latents, self.used = [], []

    def on_step_end(self, trainer, out):
        self.latents.append(out["z"])
        self.used.append(out["idx"])

    @torch.no_grad()
    def on_epoch_end(self, trainer, epoch):
        codes = trainer.model.codes
        counts = torch.cat(self.used).bincount(minlength=len(codes))
        dead = (counts == 0).nonzero().squeeze(1)
        pool = torch.cat(self.latents)
        codes[dead] = pool[torch.randperm(len(pool))[:len(dead)]]
        print(f"  revived {len(dead)}")
        self.latents.clear()
        self.used.clear()


class PreviousStepKL(Callback):
    """Keeps code usage from jumping between consecutive steps."""

    def __init__(self, weight):
        self.weight = weight
        self.prev = None

    def adjust_loss(self, trainer, out):
        if self.prev is None:
            return 0.0
        u = out["usage"]
        return self.weight * (u * (u / self.prev).log()).sum()

    def on_step_end(self, trainer, out):
        self.prev = out["usage"]
