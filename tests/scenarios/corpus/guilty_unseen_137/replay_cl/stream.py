import torch


class TaskStream:
    def __init__(self, dim, tasks, per_task, batch):
        self.centres = torch.randn(tasks * 2, dim) * 2
        self.tasks, self.per_task, self.batch = tasks, per_task, batch
        self._upto = 0

    def draw(self, labels):
        return self.centres[labels] + torch.randn(len(labels), self.centres.shape[1]), labels

    def __iter__(self):
        for task in range(self.tasks):
            self._upto = task + 1
            yield task, (self.draw(torch.randint(0, 2, (self.batch,)) + 2 * task) for _ in range(self.per_task))

    def seen(self):
        return self.draw(torch.randint(0, 2 * self._upto, (200,)))
