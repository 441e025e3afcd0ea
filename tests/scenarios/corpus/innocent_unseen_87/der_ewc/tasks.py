from dataclasses import dataclass

import torch


@dataclass
class Task:
    means: torch.Tensor
    offset: int

    def draw(self, n):
        c = torch.randint(0, len(self.means), (n,))
        return self.means[c] + 0.6 * torch.randn(n, self.means.size(1)), c + self.offset


def task_sequence(n_tasks, classes_per_task, dim):
    return [Task(1.5 * torch.randn(classes_per_task, dim), t * classes_per_task) for t in range(n_tasks)]
