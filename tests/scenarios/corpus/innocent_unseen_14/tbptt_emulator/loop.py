from contextlib import contextmanager

import torch


class SegmentLoop:
    def __init__(self, model, hub, windows_per_segment, lr):
        self.model, self.hub = model, hub
        self.windows_per_segment = windows_per_segment
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.carry = None
        self.terms = []

    @contextmanager
    def segment(self):
        """Collects the windows' losses; on leaving, one update, and the state goes on without its past."""
        yield self
        loss = torch.stack(self.terms).mean()
        self.terms.clear()
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.carry = tuple(part.detach() for part in self.carry)
        self.last = loss.item()

    def window(self, drive, angles):
        predicted, self.carry = self.model(drive, self.carry)
        self.terms.append((predicted - angles).square().mean())

    def run(self, windows, updates):
        for update in range(updates):
            with self.segment():
                for _ in range(self.windows_per_segment):
                    self.window(*next(windows))
            energy = self.carry[0].square().mean().item()
            self.hub.publish("update", update, self.last, energy)
