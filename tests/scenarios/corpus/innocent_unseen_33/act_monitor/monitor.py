"""Moving averages of activation statistics and the last raw activation per layer."""
import torch


class ActivationMonitor:
    def __init__(self, decay=0.9):
        self.decay = decay
        self.mean, self.dead, self.last, self.grad_norm = {}, {}, {}, {}
        self._handles = []

    def attach(self, net, kinds):
        for name, module in net.named_modules():
            if isinstance(module, kinds):
                self._handles.append(module.register_forward_hook(self._forward_hook(name)))
                self._handles.append(module.register_full_backward_hook(self._backward_hook(name)))
        return self

    def _blend(self, table, name, value):
        old = table.get(name, value)
        table[name] = self.decay * old + (1 - self.decay) * value

    def _forward_hook(self, name):
        def hook(module, args, out):
            act = out.detach()
            self.last[name] = act
            self._blend(self.mean, name, act.mean())
            self._blend(self.dead, name, (act <= 0).float().mean())

        return hook

    def _backward_hook(self, name):
        def hook(module, grad_in, grad_out):
            self._blend(self.grad_norm, name, grad_out[0].norm())

        return hook

    @torch.no_grad()
    def line(self):
        return " ".join(
            f"{n}:{self.mean[n].item():+.2f}/{self.dead[n].item():.2f}/{self.grad_norm[n].item():.1e}"
            for n in self.mean
        )

    def close(self):
        for h in self._handles:
            h.remove()
        self._handles.clear()
