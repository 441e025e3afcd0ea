import torch


def fundus_batch(n, size=24):
    image = torch.rand(n, 3, size, size) * 0.2
    grade = torch.randint(0, 4, (n,))
    age = torch.rand(n)
    image[:, 2] += age[:, None, None] * 0.5
    mask = torch.zeros(n, 1, size, size)
    for i in range(n):
        for _ in range(int(grade[i])):
            r, c = torch.randint(0, size - 4, (2,)).tolist()
            mask[i, 0, r:r + 4, c:c + 4] = 1.0
    image[:, :1] += mask * 0.7
    return image, {"lesion": mask, "grade": grade, "age": age}
