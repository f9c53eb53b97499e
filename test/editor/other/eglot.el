;; Run after the settings of docs/editors.md: opens a file, and says as lines of JSON what a user of Emacs would see.
;; `eglot-sync-connect' is t, for with a number of seconds eglot 1.9 goes on after the first output of the server, whatever it is.
(require 'flymake)
(require 'json)
(require 'project)
(setq eglot-sync-connect t eglot-connect-timeout 120 eglot-autoshutdown nil create-lockfiles nil make-backup-files nil)
(setq project-find-functions (list (lambda (folder) (cons 'transient folder))))

(defun say (kind value)
  (princ (concat (json-encode (list (cons 'kind kind) (cons 'value value))) "\n")))

(defun diagnostics ()
  (vconcat
   (mapcar (lambda (item)
             (save-excursion
               (goto-char (flymake-diagnostic-beg item))
               (list (cons 'line (line-number-at-pos))
                     (cons 'column (1+ (current-column)))
                     (cons 'severity (symbol-name (flymake-diagnostic-type item)))
                     (cons 'message (flymake-diagnostic-text item)))))
           (flymake-diagnostics))))

(defun wait-until (is-so seconds)
  (let ((end (+ (float-time) seconds)))
    (while (and (not (funcall is-so)) (< (float-time) end))
      (accept-process-output nil 0.1))))

(with-current-buffer
    ;; eglot-ensure waits for a command to end, which batch mode has none of: connect as it would.
    (let ((cuda-mode-hook nil)) (find-file-noselect (getenv "LSP_FILE")))
  (say "mode" (symbol-name major-mode))
  ;; Flymake and eglot refuse to run in batch mode unless told otherwise.
  (let ((noninteractive nil))
    (apply #'eglot--connect (eglot--guess-contact)))
  (unless eglot--managed-mode (eglot--managed-mode 1))
  (flymake-mode 1)
  (flymake-start)
  (wait-until #'flymake-diagnostics 60)
  (say "diagnostics" (diagnostics))
  (let ((first (car (sort (flymake-diagnostics)
                          (lambda (a b) (< (flymake-diagnostic-beg a) (flymake-diagnostic-beg b)))))))
    (when first
      (goto-char (flymake-diagnostic-beg first))
      (let ((hover (jsonrpc-request (eglot--current-server-or-lose) :textDocument/hover
                                    (eglot--TextDocumentPositionParams))))
        ;; As eglot shows it, with its own conversion.
        (say "hover" (substring-no-properties (eglot--format-markup (plist-get hover :contents)))))
      (let* ((begin (flymake-diagnostic-beg first))
             (count (length (flymake-diagnostics)))
             (actions (append (eglot-code-actions begin (flymake-diagnostic-end first) nil nil) nil))
             (ignore-action (seq-find (lambda (action) (string-prefix-p "Ignore " (plist-get action :title))) actions)))
        (say "actions" (vconcat (mapcar (lambda (action) (plist-get action :title)) actions)))
        (when (plist-get ignore-action :edit)
          (eglot--apply-workspace-edit (plist-get ignore-action :edit) nil))
        (goto-char begin)
        (say "text" (buffer-substring-no-properties (line-beginning-position) (line-end-position)))
        (eglot--signal-textDocument/didChange)
        (wait-until (lambda () (< (length (flymake-diagnostics)) count)) 60)
        (say "after" (diagnostics)))))
  (set-buffer-modified-p nil)
  (ignore-errors (eglot-shutdown (eglot--current-server-or-lose) nil 3))
  (kill-emacs 0))
