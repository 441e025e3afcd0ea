# gradwatch-corpus: kind=graph-held
# holder: self.log | exp.log | experiment.log | self.log.records | log.records | experiment.log.records | self.records
# first-bad: 1
"""Class-incremental prototypes on permuted synthetic digits, with logit distillation."""
import torch

from experiment import ContinualExperiment
from tasks import permuted_tasks


def main():
    torch.manual_seed(101)
    tasks = permuted_tasks(n_tasks=3, dim=64, classes=5)
    experiment = ContinualExperiment(dim=64, hidden=96, classes=5, steps_per_task=45)
    for task_id, task in enumerate(tasks):
        experiment.train_task(task_id, task)
        experiment.report(task_id)
    print("final accuracy per task:", experiment.evaluate(tasks))


if __name__ == "__main__":
    main()
