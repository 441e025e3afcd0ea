class StepPrinter:
    def __init__(self, every):
        self.every = every

    def leg_done(self, step, loss):
        if step % self.every == 0:
            print(f"leg {step:3d}  rms {loss ** 0.5:.4f}")


class Crew:
    def __init__(self, tracker, optimizer, hooks=()):
        self.tracker = tracker
        self.optimizer = optimizer
        self.hooks = tuple(hooks)
        self.step = 0

    def leg(self, fixes, truth):
        estimate = self.tracker(fixes)
        loss = (estimate - truth).pow(2).sum(-1).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def cruise(self, fleet, voyages):
        for _ in range(voyages):
            for fixes, truth, fresh in fleet.voyage():
                if fresh:
                    self.tracker.launch(fixes[0])
                loss = self.leg(fixes, truth)
                for hook in self.hooks:
                    hook.leg_done(self.step, loss)
                self.step += 1
