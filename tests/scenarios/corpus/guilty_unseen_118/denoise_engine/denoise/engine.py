import torch


class Engine:
    def __init__(self, net, opt, make_state, callbacks=()):
        self.net, self.opt = net, opt
        self.make_state = make_state
        self.callbacks = list(callbacks)
        self.state = None

    def _emit(self, name):
        for cb in self.callbacks:
            getattr(cb, name, lambda engine: None)(self)

    def _step(self, noisy, clean):
        restored = self.net(noisy)
        err = (restored - clean).square().mean()
        self.opt.zero_grad()
        err.backward()
        self.opt.step()
        return {"psnr": -10 * torch.log10(err), "residual_power": (noisy - restored).square().mean()}

    def run(self, loader, epochs):
        for epoch in range(epochs):
            self.state = self.make_state(epoch)
            self._emit("epoch_started")
            for noisy, clean in loader():
                produced = self._step(noisy, clean)
                self.state.seen += len(noisy)
                for name in self.make_state.track:
                    self.state.outputs[name].append(produced[name])  # <- culprit
            self._emit("epoch_completed")
