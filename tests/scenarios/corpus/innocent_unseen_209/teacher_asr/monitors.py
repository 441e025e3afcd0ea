from collections import deque

import torch


class Drift:
    def __init__(self, bus, student, teacher) -> None:
        self.pair = (student, teacher.net)
        self.sup, self.cons = 0.0, 0.0
        bus.on("step", self.update)

    def update(self, step, sup, cons) -> None:
        self.sup = 0.95 * self.sup + 0.05 * sup.item()
        self.cons = 0.95 * self.cons + 0.05 * cons.item()
        if step % 75 == 0:
            a, b = (torch.nn.utils.parameters_to_vector(m.parameters()) for m in self.pair)
            print(step, f"{self.sup:.3f} {self.cons:.4f} gap {(a - b).norm().item():.3f}")


class Snapshots:
    def __init__(self, bus, net, keep: int, every: int) -> None:
        self.net, self.every = net, every
        self.shelf = deque(maxlen=keep)
        bus.on("step", self.update)
        bus.on("end", self.average)

    def update(self, step, **kw) -> None:
        if step % self.every == 0:
            self.shelf.append({k: v.clone() for k, v in self.net.state_dict().items()})

    def average(self) -> None:
        mean = {k: torch.stack([s[k] for s in self.shelf]).mean(0) for k in self.shelf[0]}
        self.net.load_state_dict(mean)
        print("averaged", len(self.shelf), "snapshots")
