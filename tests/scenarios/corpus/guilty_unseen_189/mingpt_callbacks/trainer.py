import time
from collections import defaultdict

import torch
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, model, dataset, lr, batch_size, max_iters):
        self.model, self.max_iters = model, max_iters
        self.loader = DataLoader(dataset, batch_size=batch_size, shuffle=True)
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr, betas=(0.9, 0.95))
        self.callbacks = defaultdict(list)
        self.iter_num, self.iter_dt, self.loss = 0, 0.0, None

    def add_callback(self, event, fn):
        self.callbacks[event].append(fn)

    def trigger(self, event):
        for fn in self.callbacks.get(event, []):
            fn(self)

    def run(self):
        self.model.train()
        it = iter(self.loader)
        tick = time.time()
        while self.iter_num < self.max_iters:
            try:
                x, y = next(it)
            except StopIteration:
                it = iter(self.loader)
                x, y = next(it)
            _, self.loss = self.model(x, y)
            self.model.zero_grad(set_to_none=True)
            self.loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            now = time.time()
            self.iter_dt, tick = now - tick, now
            self.trigger("on_batch_end")
            self.iter_num += 1
