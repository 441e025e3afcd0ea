# gradwatch-corpus: kind=none
from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F


class ActivationVault:
    """Latest intermediate activations, for the debugger, within a byte budget."""

    def __init__(self, budget_bytes):
        self.budget = budget_bytes
        self.used = 0
        self.store = OrderedDict()

    def put(self, key, t):
        self.store[key] = t
        self.used += t.untyped_storage().nbytes()
        while self.used > self.budget:
            _, old = self.store.popitem(last=False)
            self.used -= old.untyped_storage().nbytes()

    def summary(self):
        return {k: round(v.detach().abs().mean().item(), 3) for k, v in list(self.store.items())[-3:]}


def watch(model, vault, clock):
    for name, module in model.named_modules():
        if isinstance(module, nn.Linear):
            def keep(mod, inputs, output, name=name):
                vault.put(f"{name}@{clock['step']}", output)
            module.register_forward_hook(keep)


def main():
    torch.manual_seed(70)
    model = nn.Sequential(nn.Linear(24, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 6))
    vault = ActivationVault(budget_bytes=384 * 1024)
    clock = {"step": 0}
    watch(model, vault, clock)
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True)
    proto = torch.randn(6, 24)
    for step in range(500):
        clock["step"] = step
        y = torch.randint(6, (32,))
        x = proto[y] + torch.randn(32, 24)
        loss = F.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 100 == 0:
            print(step, f"{loss.item():.4f}", vault.used, len(vault.store), vault.summary())


if __name__ == "__main__":
    main()
