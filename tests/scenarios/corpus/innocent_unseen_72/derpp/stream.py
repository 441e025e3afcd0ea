import torch


def class_incremental(n_tasks, classes_per_task, dim=12, n=300):
    tasks, tests = [], []
    for t in range(n_tasks):
        labels = torch.arange(t * classes_per_task, (t + 1) * classes_per_task)
        centers = torch.randn(classes_per_task, dim) * 1.6

        def draw(k):
            i = torch.randint(classes_per_task, (k,))
            return centers[i] + torch.randn(k, dim), labels[i]

        tasks.append({"id": t, "classes": labels.tolist(), "data": draw(n)})
        tests.append(draw(100))
    return tasks, tests
