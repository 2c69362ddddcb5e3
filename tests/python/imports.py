import tutti  # noqa: F401

print("imported", flush=True)
