import torch.nn.functional as F


class Listener:
    def on_result(self, harness, result):
        pass


class Harness:
    def __init__(self, coder, tap, optimizer, listeners):
        self.coder = coder
        self.tap = tap
        self.optimizer = optimizer
        self.listeners = listeners
        self.index = 0

    def _losses(self, tiles):
        recon, commit, codes = self.coder(tiles)
        wanted = self.tap.take().detach()
        self.coder.encoder(recon)
        perceptual = F.mse_loss(self.tap.take(), wanted)
        losses = {"pixel": F.mse_loss(recon, tiles), "commit": 0.25 * commit, "feature": 0.1 * perceptual}
        return losses, codes

    def run(self, stream, steps):
        for self.index in range(steps):
            losses, codes = self._losses(next(stream))
            total = sum(losses.values())
            self.optimizer.zero_grad(set_to_none=True)
            total.backward()
            self.optimizer.step()
            result = {"losses": losses, "codes": codes}
            for listener in self.listeners:
                listener.on_result(self, result)
