import torch


class SceneLoader:
    def __init__(self, batches, size=6, hw=8):
        self.batches, self.size, self.hw = batches, size, hw

    def __len__(self):
        return self.batches

    def __iter__(self):
        for _ in range(self.batches):
            image = torch.rand(self.size, 3, self.hw, self.hw)
            lum = image.mean(1)
            yield {
                "image": image,
                "depth": 1.0 / (0.2 + lum),
                "seg": torch.bucketize(lum, torch.tensor([0.4, 0.6])),
                "steer": lum[..., : self.hw // 2].mean((1, 2)) - lum[..., self.hw // 2:].mean((1, 2)),
            }
