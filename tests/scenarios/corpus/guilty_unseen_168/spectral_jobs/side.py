import time
from concurrent.futures import ThreadPoolExecutor


class SideWorker:
    def __init__(self):
        self.pool = ThreadPoolExecutor(max_workers=1)
        self.jobs = []

    def start(self, fn, *args):
        job = self.pool.submit(fn, *args)
        self.jobs.append((time.perf_counter(), job))  # <- culprit
        return job

    def shut(self):
        self.pool.shutdown()
        failed = sum(job.exception() is not None for _, job in self.jobs)
        span = self.jobs[-1][0] - self.jobs[0][0]
        return f"{len(self.jobs)} side jobs in {span:.1f}s, {failed} failed"
