# gradwatch-corpus: kind=second-backward
# holder: self.encoded | context.encoded | self.context.encoded | island.context.encoded | search.context.encoded
# first-bad: 1
"""Islands of gradient-based parameter search over a shared problem encoder."""
import torch

from islands import Context, Island

torch.set_num_threads(1)
torch.manual_seed(29)


class Search:
    def __init__(self, n_islands=4):
        self.context = Context()
        self.islands = [Island(i, self.context) for i in range(n_islands)]
        self.failed = 0

    def generation(self, g):
        self.context.refresh(torch.randn(16, 5))
        for island in self.islands:
            try:
                island.improve()
            except RuntimeError:
                self.failed += 1
                island.restart()

    def migrate(self):
        ranked = sorted(self.islands, key=lambda i: i.best)
        ranked[-1].receive(ranked[0])

    def run(self, generations):
        for g in range(generations):
            self.generation(g)
            if g % 5 == 4:
                self.migrate()
                print(f"gen {g} best {min(i.best for i in self.islands):.4f} restarts {self.failed}")


if __name__ == "__main__":
    Search().run(25)
