from collections import defaultdict

import torch


class ActivationProbe:
    def __init__(self, net, wanted):
        self.net, self.wanted = net, set(wanted)
        self.tape = defaultdict(list)
        self.handles = []

    def attach(self):
        for name, mod in self.net.named_modules():
            if name in self.wanted:
                self.handles.append(mod.register_forward_hook(self._recorder(name)))

    def _recorder(self, tag):
        def record(mod, args, result):
            if mod.training:
                self.tape[tag].append(result)  # <- culprit
        return record

    @torch.no_grad()
    def digest(self):
        out = {}
        for tag, seen in self.tape.items():
            block = torch.cat(seen)
            out[tag] = block.mean().item(), (block.amax(0) <= 0).float().mean().item()
        return out

    def detach_all(self):
        while self.handles:
            self.handles.pop().remove()
