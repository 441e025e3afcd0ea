from collections import deque

import torch


class SlidingTrainer:
    """Keeps (leaf in, graph out) pairs of the last `depth` steps. Every `stride` steps the loss is
    sent back pair by pair by handing gradients across the leaves, so the window can overlap."""

    def __init__(self, cell, depth, stride, lr):
        self.cell, self.stride = cell, stride
        self.window = deque(maxlen=depth)
        self.opt = torch.optim.Adam(cell.parameters(), lr=lr)
        self.log = []

    def _forward(self, act, prev):
        src = prev.leaf()
        return src, self.cell(act, src), act

    def _replay(self):
        """The weights have moved, so the window is evaluated anew from its oldest input."""
        pairs, prev = [], self.window[0][0]
        for _, _, act in self.window:
            pairs.append(self._forward(act, prev))
            prev = pairs[-1][1]
        self.window.extend(pairs)

    def _update(self, target):
        self._replay()
        loss = (self.window[-1][1].diag - target).pow(2).mean()
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        grads = [t.grad for t in self.window[-1][0].tensors()]
        for src, out, _ in list(self.window)[-2::-1]:
            torch.autograd.backward(out.tensors(), grads, retain_graph=True)
            grads = [t.grad for t in src.tensors()]
        torch.nn.utils.clip_grad_norm_(self.cell.parameters(), 1.0)
        self.opt.step()
        return loss.item()

    def consume(self, stream, updates):
        state, done = None, 0
        for t, (act, diag) in enumerate(stream):
            if state is None:
                state = self.cell.initial(act.size(0))
            self.window.append(self._forward(act, state))
            state = self.window[-1][1]
            if t % self.stride == self.stride - 1:
                self.log.append(self._update(diag))
                state = self.window[-1][1]
                done += 1
                if done % 76 == 0:
                    print(f"update {done} mse {sum(self.log[-76:]) / 76:.4f} window {len(self.window)}")
            if done >= updates:
                return
