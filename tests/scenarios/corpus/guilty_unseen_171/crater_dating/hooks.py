"""What happens around the training loop."""
import copy


class Hook:
    def on_step(self, run):
        pass

    def on_finish(self, run):
        pass


class Printer(Hook):
    def __init__(self, every):
        self.every = every

    def on_step(self, run):
        if run.step % self.every == 0:
            print(f"{run.step:5d}  loss {run.last_loss:.5f}  held-out MAE {run.held_out():.4f}")


class RollBack(Hook):
    """Goes back to the weights of the best step if the loss blows up."""

    def __init__(self, tolerance=2.0):
        self.tolerance = tolerance
        self.best_step, self.best = None, float("inf")
        self.weights = {}

    def on_step(self, run):
        self.weights[run.step] = copy.deepcopy(run.model.state_dict())  # <- culprit
        if run.last_loss < self.best:
            self.best, self.best_step = run.last_loss, run.step
        elif run.last_loss > self.best + self.tolerance:
            print(f"rolling back from step {run.step} to {self.best_step}")
            run.model.load_state_dict(self.weights[self.best_step])

    def on_finish(self, run):
        run.model.load_state_dict(self.weights[self.best_step])
