from collections import deque

import torch


class Bulletin:
    def __init__(self, every):
        self.every = every
        self.window = deque(maxlen=every)
        self.by_position = []

    def __call__(self, step, model, ids, per_token):
        profile = per_token.detach().mean(0)
        self.window.append(profile.mean())
        self.by_position.append(profile.tolist())
        if (step + 1) % self.every == 0:
            print(f"step {step + 1} nll {torch.stack(list(self.window)).mean():.3f} "
                  f"last token {self.by_position[-1][-1]:.3f}")


class SampleBook:
    def __init__(self, every, prompt):
        self.every, self.prompt = every, prompt
        self.pages = []

    def __call__(self, step, model, ids, per_token):
        if step % self.every:
            return
        text = model.generate(ids[:2, :self.prompt], 5)
        self.pages.append((step, text))
        print("   sample", text[0].tolist())
