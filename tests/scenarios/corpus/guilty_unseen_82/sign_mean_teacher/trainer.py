import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, net, data, lr, callbacks=()):
        self.net, self.data = net, data
        self.opt = torch.optim.AdamW(net.parameters(), lr=lr, weight_decay=1e-2)
        self.callbacks = list(callbacks)
        self.step = 0

    def _emit(self, hook, *args):
        for cb in self.callbacks:
            getattr(cb, hook)(self, *args)

    def training_step(self, batch):
        x, y = self.data.clips(batch)
        u, _ = self.data.clips(batch * 2)
        sup = F.cross_entropy(self.net(self.data.augment(x)), y, label_smoothing=0.05)
        loss = sup
        student = self.net(self.data.augment(u))
        for cb in self.callbacks:
            extra = cb.extra_loss(self, student, u)
            if extra is not None:
                loss = loss + extra
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 2.0)
        self.opt.step()
        return {"loss": loss.item(), "sup": sup.item()}

    def fit(self, steps, batch):
        self._emit("on_fit_start")
        for self.step in range(steps):
            logs = self.training_step(batch)
            self._emit("on_step_end", logs)
