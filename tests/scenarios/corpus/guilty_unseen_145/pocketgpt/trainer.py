import torch

from .meters import Smoothed


class Trainer:
    def __init__(self, model, corpus, cfg):
        self.model, self.corpus, self.cfg = model, corpus, cfg
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.learning_rate)
        self.meter = Smoothed()

    def get_batch(self):
        ix = torch.randint(0, len(self.corpus) - self.cfg.block_size - 1, (self.cfg.batch_size,))
        x = torch.stack([self.corpus[i:i + self.cfg.block_size] for i in ix])
        y = torch.stack([self.corpus[i + 1:i + 1 + self.cfg.block_size] for i in ix])
        return x, y

    def run(self, max_iters):
        for it in range(max_iters):
            x, y = self.get_batch()
            _, loss = self.model(x, y)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            self.meter.update(loss)  # <- culprit
            if it % 100 == 0:
                print(f"iter {it}: smoothed loss {self.meter}")
        print("done", self.meter)
