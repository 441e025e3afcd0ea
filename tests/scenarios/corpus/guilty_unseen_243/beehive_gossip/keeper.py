import torch
import torch.nn.functional as F


class Keeper:
    def __init__(self, model, colony, hive):
        self.model = model
        self.colony = colony
        self.hive = hive
        self.smoker = torch.optim.Adagrad(model.parameters(), lr=hive["lr"])
        self.hooks = {"after_forward": [], "after_step": []}
        self.hooks["after_forward"].append(self.refresh_stale)  # <- culprit
        self.hooks["after_step"].append(self.report)

    def fire(self, moment, **facts):
        for hook in self.hooks[moment]:
            hook(**facts)

    def refresh_stale(self, day, bees, own):
        if day % self.hive["refresh_every"] == self.hive["refresh_every"] - 1:
            self.model.refresh(bees, own)  # <- culprit

    def report(self, day, loss):
        print(f"day {day:3d} loss {loss.item():.4f}")

    def work(self):
        for day in range(self.hive["days"]):
            bees = self.colony.sample(self.hive["sampled"])
            logit, own = self.model(self.colony.traits, self.colony.contact, bees)
            self.fire("after_forward", day=day, bees=bees, own=own)
            loss = F.binary_cross_entropy_with_logits(logit, self.colony.forager[bees])
            self.smoker.zero_grad()
            loss.backward()
            self.smoker.step()
            self.fire("after_step", day=day, loss=loss)
